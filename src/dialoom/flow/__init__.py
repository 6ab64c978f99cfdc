"""The bot as its author writes it: the model of its files, their schemas, reading and checking them.

How a flow runs is left to ``dialoom.engine``.
"""

from dialoom.flow.finding import Finding
from dialoom.flow.model import Bot
from dialoom.flow.read import check_files, check_folder, files_of, folder_id, read_and_check, read_bot, read_files
from dialoom.flow.schema import schemas

__all__ = [
    "Bot",
    "Finding",
    "check_files",
    "check_folder",
    "files_of",
    "folder_id",
    "read_and_check",
    "read_bot",
    "read_files",
    "schemas",
]
