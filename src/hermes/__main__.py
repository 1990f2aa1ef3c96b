"""`python -m hermes` is the command line."""

from hermes.cli import main

raise SystemExit(main())
