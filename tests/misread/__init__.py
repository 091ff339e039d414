"""Small files that invite a wrong answer, made by a program, and what each must give."""
