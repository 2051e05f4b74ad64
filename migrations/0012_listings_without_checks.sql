ALTER TABLE "listing" DROP CONSTRAINT "listing_market_id_market_id_fk";
--> statement-breakpoint
ALTER TABLE "listing" DROP CONSTRAINT "listing_gpu_model_id_gpu_model_id_fk";
