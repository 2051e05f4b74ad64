import type { App } from '../core/app.ts';

/** Copies a text and announces whether that worked. */
export async function copyText(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.say('Copied.');
  } catch {
    // Browsers only allow copying on HTTPS and on this machine.
    app.say(`The browser does not allow copying. Select the text and copy it yourself: ${text}`);
  }
}

/** Text to paste elsewhere, with a copy button if the browser allows copying. */
export function CopyText({ app, text }: { app: App; text: string }) {
  return (
    <span class="copy">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copyText(app, text)}>
        Copy
      </button>
    </span>
  );
}
