"""Counter-parties of logins: a certified OpenID Connect provider, a social network, and a browser without a window."""
