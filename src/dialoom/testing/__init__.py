"""For tests of this package and of its users: stand-ins of the platforms, a clock that the test moves."""
