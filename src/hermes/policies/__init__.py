"""What chooses the steps of a plan."""
