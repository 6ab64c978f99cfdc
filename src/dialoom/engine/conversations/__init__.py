"""Opens, leaves, ends and resumes the conversations of a chat, and its sessions; asks which of them the user means.

What a conversation's steps do is in ``engine.steps``.
"""
