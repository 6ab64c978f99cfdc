"""Holds try-outs: chats with a draft or a version that count in no record, metric or history of the bot."""
