"""For the tests of this package and of its users: conversation tests, memory twins, a clock that the test moves."""
