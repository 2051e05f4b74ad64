import { useState } from 'preact/hooks';
import type { App } from '../core/app.ts';

/** Copies a text and announces whether that worked; returns whether it did. */
export async function copyText(app: App, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    app.say('Copied.');
    return true;
  } catch {
    // Browsers only allow copying on HTTPS and on this machine.
    app.say(`The browser does not allow copying. Select the text and copy it yourself: ${text}`);
    return false;
  }
}

/** Text to paste elsewhere, with a copy button if the browser allows copying. */
export function CopyText({ app, text }: { app: App; text: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => setCopied((await copyText(app, text)) ? text : null);
  return (
    <span class="copy">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copy()}>
        {copied === text ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}
