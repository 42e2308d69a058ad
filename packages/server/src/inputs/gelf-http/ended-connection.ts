import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection for Node's server whose sender sends no more: `unread`, and then its end. A socket that has told its end
 * takes nothing back, so this stands before it. Answers go to the socket.
 */
export function endedConnection(socket: Socket, unread: Buffer): Duplex {
  const connection = new Duplex({
    read() {
      this.push(unread);
      this.push(null);
    },
    write: (chunk: Buffer, _encoding, done) => socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('close', () => connection.destroy());
  return connection;
}
