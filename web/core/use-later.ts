import { useEffect, useState } from 'preact/hooks';

/** Returns a value once it has not changed for some time. */
export function useLater<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** A refusal is known this soon after its alert. */
const deliveryMs = 3_000;

/** Returns a version that changes with another one and once more when what was sent then has arrived or was refused. */
export const useWithDeliveries = (version: string | number | null): string =>
  `${version} ${useLater(version, deliveryMs)}`;
