"""The rules of the kernel: what follows for the variables of each operator and expression."""
