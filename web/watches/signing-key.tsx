import { useEffect, useRef } from 'preact/hooks';
import type { App } from '../core/app.ts';
import { CopyText } from '../parts/copy-text.tsx';

/** A channel's generated signing key, scrolled into view, because it is shown only once. */
export function SigningKey({ app, text }: { app: App; text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [text]);
  return (
    <p ref={shown} class="banner" role="status" data-signing-key>
      <strong>Signing key, shown only once:</strong> <CopyText app={app} text={text} />
    </p>
  );
}
