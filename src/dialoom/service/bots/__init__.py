"""The bots that a process serves: loading, checking, reloading, versions, training and dynamic data. Running a turn is
left to ``chat``.
"""
