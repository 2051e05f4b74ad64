import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { copyText } from '../../parts/copy-text.tsx';
import { keyOf } from './instance-rows.ts';

/** Returns the command that opens a shell on an instance; null: its address is not known. */
export const sshCommand = ({ sshHost, sshPort }: Instance): string | null =>
  sshHost === null || sshPort === null ? null : `ssh -p ${sshPort} root@${sshHost}`;

/** Copies the command that opens a shell; nothing if its address is not known. */
export function CopySsh({ app, instance }: { app: App; instance: Instance }) {
  const command = instance.endedAt === null ? sshCommand(instance) : null;
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
