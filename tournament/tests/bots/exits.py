print("nothing to do")
