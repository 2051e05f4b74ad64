import { type ServiceProcess, startServiceProcess, waitUntil } from '../crawl/service-process.ts';
import type { Backend } from './balancer.ts';
import type { Killable } from './killable.ts';

/** A process of Offerbook that is killed and started again. */
export interface Member extends Killable {
  /** Its address; `url` is null while it is down, and always for a worker. */
  backend: Backend;
  /** Whether it has ended by itself. */
  hasEnded: () => boolean;
  /** Ends it as a supervisor would. */
  end: () => Promise<void>;
}

/** Returns a process of a role, not started yet. */
export function createMember(name: string, databaseUrl: string, settings: Record<string, string>): Member {
  const backend: Backend = { url: null, killedAt: 0 };
  let service: ServiceProcess | null = null;
  return {
    name,
    backend,
    start: async () => {
      const started = await startServiceProcess({ url: databaseUrl }, settings);
      service = started;
      await waitUntil(`${name} has started`, 90, async () => {
        const { child, log, said } = started;
        if (child.exitCode !== null) throw new Error(`${name} ended: ${log.slice(-3).join(' ')}`);
        return said.some((line) => /listens on|runs as a worker/.test(line));
      });
      backend.url = /listens on (\S+)/.exec(started.said.join('\n'))?.[1] ?? null;
    },
    kill: async () => {
      backend.killedAt = performance.now();
      backend.url = null;
      service?.child.kill('SIGKILL');
      await service?.gone;
    },
    hasEnded: () => service !== null && service.child.exitCode !== null,
    end: async () => {
      backend.url = null;
      if (service !== null && service.child.exitCode === null && service.child.signalCode === null)
        await service.end();
    },
  };
}
