// Loaded into a command's own process (NODE_OPTIONS=--import …): breaks what OFFERBOOK_TEST_FAULT names.
import fs from 'node:fs';
import net from 'node:net';

type Write = typeof fs.WriteStream.prototype._write;

/** A disk that takes each piece only a moment later; with a gate not before that file is there. */
function slowDisk(gate: string | undefined): void {
  const take: Write = fs.WriteStream.prototype._write;
  const wait = (go: () => void): void => {
    if (gate === undefined || fs.existsSync(gate)) go();
    else setTimeout(() => wait(go), 10);
  };
  fs.WriteStream.prototype._write = function (this: fs.WriteStream, chunk, encoding, done) {
    const go = (): void => (this.destroyed ? done() : take.call(this, chunk, encoding, done));
    setTimeout(() => wait(go), 2);
  };
  Object.assign(fs.WriteStream.prototype, { _writev: undefined });
}

/** Sockets that, once paused, are never read again: what waits for them can never come. */
function deafSockets(): void {
  const { pause } = net.Socket.prototype;
  net.Socket.prototype.pause = function (this: net.Socket) {
    this.resume = () => this;
    // The server would end its session after a while, and with it the silence.
    return pause.call(this).unref();
  };
}

const { OFFERBOOK_TEST_FAULT: fault, OFFERBOOK_TEST_GATE: gate } = process.env;
if (fault === 'slow-disk') slowDisk(gate);
if (fault === 'deaf-sockets') deafSockets();
