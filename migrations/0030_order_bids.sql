ALTER TABLE "standing_order_attempt" DROP CONSTRAINT "standing_order_attempt_outcome";--> statement-breakpoint
ALTER TABLE "standing_order_attempt" ADD COLUMN "bid_usd_per_hour" numeric;--> statement-breakpoint
ALTER TABLE "standing_order_attempt" ADD COLUMN "bid_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "standing_order_attempt" ADD CONSTRAINT "standing_order_attempt_outcome" CHECK ("standing_order_attempt"."outcome" in ('open', 'held', 'rented', 'refused', 'not-rented', 'offer-gone', 'above-price',
        'not-rentable', 'given-up'));