from player import orders, play

letters = []


def answer(state):
    letters.append(state.me)
    return orders(state, letters[0])


play(answer)
