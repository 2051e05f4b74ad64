import type { Instance } from '../../web/core/api.ts';

/** A running instance with this cost. */
export const instanceAt = (usdPerHour: string): Instance => ({
  ...{ instanceId: 77, rentalId: null, state: 'running', reason: null, label: 'watched', costCenter: null },
  ...{ rentedBy: null, statusMessage: null, gpuName: 'RTX 4090', numGpus: 1, type: 'on-demand' },
  ...{ machineId: 7, hostId: 7, country: null, image: 'ubuntu', diskGb: 16, sshHost: null, sshPort: null },
  ...{
    startedAt: null,
    hostEndsAt: null,
    usdPerHour,
    billedUsdPerHour: usdPerHour,
    runningUsdPerHour: usdPerHour,
    stoppedUsdPerDay: '0.1',
  },
  ...{ bidUsdPerHour: null, minBidUsdPerHour: null, gpuUtilPercent: null, idle: null, cheaper: null },
  cost: {
    ...{ usd: '1', estimatedUsd: '1', chargedUsd: null, chargedUntil: null, differenceUsd: null },
    isLowerBound: false,
  },
  ...{ wanted: null, wantedProblem: null, maxHours: null, endAction: null, endsAt: null, createdAt: null },
  ...{ idleMinutes: null, idlePercent: null, maxUsd: null, warnMinutes: null, ending: null },
  ...{ cheaperPercent: null, cheaperBooks: null, cheaperOfBooks: null, cheaperAction: null, found: null },
  ...{ actualStatus: 'running', intendedStatus: 'running', offerId: null, maxUsdPerHour: null },
  ...{ quotedUsdPerHour: null, wantedBy: null, readyAt: null, failedStartAt: null, endedAt: null },
});
