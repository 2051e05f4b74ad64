import { exitCodes } from '../core/terminal/command-context.ts';

/** A command that has not stopped this long after it was asked to is killed. */
const stopPatienceMs = 10_000;

/**
 * Watches the command `name` until the returned function is called. If nothing is left that could continue the command,
 * the process ends with an error message; Node alone would end it silently with code 13.
 */
export function watchForEnd(name: string): () => void {
  const give = (): void => {
    endAtOnce(
      `\`offerbook ${name}\` cannot continue: it waits for a response that will never come. This is a bug in Offerbook. ` +
        'Stored data is intact. Run it again; if it happens again, report it with these lines and the log of LOG_LEVEL=debug.',
    );
  };
  process.once('beforeExit', give);
  return () => {
    process.off('beforeExit', give);
  };
}

/** Ends the process with a message after a while, unless it has ended by then. */
export function endSoon(name: string): void {
  setTimeout(() => {
    endAtOnce(
      `\`offerbook ${name}\` did not stop within ${stopPatienceMs / 1000} seconds and was killed. Stored data is intact.`,
    );
  }, stopPatienceMs).unref();
}

/** Ends the process as failed; cleanup listens to its `exit` event. */
export function endAtOnce(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCodes.failed);
}
