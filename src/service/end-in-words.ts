import { exitCodes } from '../core/terminal/command-context.ts';

/** After this a command that was asked to stop and has not is ended. */
const stopPatienceMs = 10_000;

/**
 * Watches the command `name` until what it returns is called. Where nothing is left that could ever go on with the command,
 * the process ends with an error in words; Node alone would end it silently, with code 13.
 */
export function watchForEnd(name: string): () => void {
  const give = (): void => {
    endAtOnce(
      `\`offerbook ${name}\` cannot go on: it waits for an answer that will never come. This is an error of Offerbook. ` +
        'What was stored is whole. Run it again; if it ends like this again, report it with these lines and the log of LOG_LEVEL=debug.',
    );
  };
  process.once('beforeExit', give);
  return () => {
    process.off('beforeExit', give);
  };
}

/** Ends the process with words in a while, unless it has ended by then. */
export function endSoon(name: string): void {
  setTimeout(() => {
    endAtOnce(
      `\`offerbook ${name}\` did not stop within ${stopPatienceMs / 1000} seconds and was ended. What was stored is whole.`,
    );
  }, stopPatienceMs).unref();
}

/** Ends the process as failed; what has to be tidied up then listens to its `exit`. */
export function endAtOnce(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCodes.failed);
}
