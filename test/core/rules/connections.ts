/** What each rule of `connections` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const CONNECTIONS: Examples = {
  "connection-failed": {
    example: 'psql: error: connection to server at "db", port 5432 failed: Connection refused',
    nearMiss: "the connection between carts and horses",
  },
  tls: {
    example: "SSL certificate problem: unable to get local issuer certificate",
    nearMiss: "a certificate of merit",
  },
  "connection-timed-out": {
    example: "ssh: connect to host carts port 22: Connection timed out",
    nearMiss: "the connection was timed",
  },
  "database-host": {
    example: "ERROR 2005 (HY000): Unknown server host 'db.carts.invalid' (-2)",
    nearMiss: "the host plays the server in act two",
  },
  "closed-in-the-middle": {
    example: "2026-02-01 10:00:00 (1.2 MB/s) - Connection closed at byte 2048. Retrying.",
    nearMiss: "wrote one byte to the server log",
  },
};
