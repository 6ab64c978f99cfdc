"""For tests of this package and of its users: conversation tests, answers from mocks, a clock that the test moves."""
