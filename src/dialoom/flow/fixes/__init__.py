"""The linter's fixes: the edit that mends a finding, as data, and applying it to a file's text.

Only where exactly one plain mending exists has a finding a fix. What is wrong is left to ``flow.shape`` and
``flow.check``.
"""
