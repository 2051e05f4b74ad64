import { UserError } from '../../core/errors.ts';

/** Why a request to rent cannot be granted; nothing was sent. */
export type RentRefusalKind =
  /** Every offer that may be tried is gone. */
  | 'offer-gone'
  | 'price-above-cap'
  /** The market does not say what it would cost. */
  | 'price-unknown'
  /** The key came with another request before. */
  | 'key-reused'
  /** What would be sent is wrong. */
  | 'invalid-request';

/** A request that was refused before anything was sent; the message says why. */
export class RentRefusal extends UserError {
  override name = 'RentRefusal';
  readonly kind: RentRefusalKind;
  /** Of a wrong request: what of it. */
  readonly fields: readonly string[];

  constructor(kind: RentRefusalKind, message: string, fields: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.fields = fields;
  }
}
