from player import connect

name, server = connect()
server.sendall(f"Joueur;{name}\0".encode())
server.recv(1000)
