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
