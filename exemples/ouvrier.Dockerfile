# A worker of a tournament on several machines (Containerfile; not tried on every engine, see docs/en/tournament.md):
#   docker build -t pacman-ouvrier -f exemples/ouvrier.Dockerfile .
#   docker run --init --rm pacman-ouvrier nats://host:4222
# The programs of teams are isolated as far as the container allows; the worker says what is missing.
FROM rust:1-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package tournament --bin tournoi

FROM debian:bookworm-slim
# Whatever the teams' programs need.
RUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /src/target/release/tournoi /usr/local/bin/tournoi
RUN useradd --create-home ouvrier
USER ouvrier
ENTRYPOINT ["tournoi", "ouvrier"]
