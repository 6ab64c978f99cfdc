"""Parts of days and hours that the readers of dates and times put together."""
