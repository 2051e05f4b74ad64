import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { copyText } from '../../parts/copy-text.tsx';
import { keyOf } from './instance-rows.ts';
import { neverRuns, runsLater } from './state-words.ts';

/** Returns the command that opens a shell on an instance; null: it does not run, or its address is not known. */
export const sshCommand = ({ state, sshHost, sshPort }: Instance): string | null =>
  sshHost === null || sshPort === null || runsLater(state) || neverRuns(state)
    ? null
    : `ssh -p ${sshPort} root@${sshHost}`;

/** Copies the command that opens a shell, or says when it can; nothing if its address is not known. */
export function CopySsh({ app, instance }: { app: App; instance: Instance }) {
  if (instance.endedAt !== null) return null;
  if (runsLater(instance.state)) return <span class="soft">SSH when it is running</span>;
  const command = sshCommand(instance);
  if (command === null) return null;
  return (
    <button
      type="button"
      class="small quiet"
      title={command}
      aria-label={`Copy SSH of ${keyOf(instance)}`}
      onClick={() => void copyText(app, command)}
    >
      Copy SSH
    </button>
  );
}
