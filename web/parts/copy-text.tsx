import type { App } from '../core/app.ts';

/** Text to paste elsewhere, with a copy button if the browser allows copying. */
export function CopyText({ app, text }: { app: App; text: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      app.say('Copied.');
    } catch {
      // Browsers only allow copying on HTTPS and on this machine.
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
