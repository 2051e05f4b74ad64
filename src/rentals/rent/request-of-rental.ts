import type { Actor } from '../actor.ts';
import type { Rental } from '../rental.ts';
import type { RentRequest } from './rent-request.ts';

/** Returns the request of a rental with its environment and scripts; null: those were not kept. */
export function requestOfRental({ sealer }: Pick<Actor, 'sealer'>, rental: Rental): RentRequest | null {
  const shown = rental.request as unknown as RentRequest & {
    onstartCharacters?: number;
    argsCharacters?: number;
  };
  const isWhole =
    shown.env === undefined && shown.onstartCharacters === undefined && shown.argsCharacters === undefined;
  if (isWhole) return shown;
  if (rental.sealedRequest === null || sealer === undefined) return null;
  const opened = sealer.open(rental.sealedRequest);
  return opened === null ? null : (JSON.parse(opened) as RentRequest);
}
