import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Bot {
    static int rows, cols;
    static char me;
    static char[][] cells;
    static Map<Character, int[]> pacmans = new TreeMap<>();
    static Map<Character, int[]> ghosts = new TreeMap<>();

    static void decode(String message) {
        String[] parts = message.split("-{20}\n");
        me = message.charAt(4);
        String[] board = parts[1].split("\n");
        String[] size = board[0].split(";");
        rows = Integer.parseInt(size[0]);
        cols = Integer.parseInt(size[1]);
        cells = new char[rows][];
        for (int row = 0; row < rows; row++) cells[row] = board[row + 1].toCharArray();
        for (String line : parts[2].split("\n")) {
            String[] field = line.split(";");
            pacmans.put(line.charAt(0), new int[] {Integer.parseInt(field[3]), Integer.parseInt(field[4])});
            ghosts.put(line.charAt(0), new int[] {Integer.parseInt(field[5]), Integer.parseInt(field[6])});
        }
    }

    public static void main(String[] args) throws IOException {
        try (Socket socket = new Socket(args[0], Integer.parseInt(args[1]))) {
            OutputStream out = socket.getOutputStream();
            out.write("joueur;Java\0".getBytes(StandardCharsets.UTF_8));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next != 0) {
                    message.write(next);
                    continue;
                }
                String text = message.toString("UTF-8");
                message.reset();
                if (!text.startsWith("jeu;")) return;
                decode(text);
                out.write((orders() + "\0").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    // YOUR CODE
}
