import type { App } from '../core/app.ts';

/** A text to be pasted elsewhere, with a button that copies it where the browser allows that. */
export function CopyText({ app, text }: { app: App; text: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      app.say('Copied.');
    } catch {
      // Browsers copy on HTTPS and on this machine alone.
      app.say('The browser does not allow copying. Select the text and copy it yourself.');
    }
  }
  return (
    <span class="copy">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copy()}>
        Copy
      </button>
    </span>
  );
}
