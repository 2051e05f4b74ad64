CREATE TABLE "catalog_price" (
	"provider" text NOT NULL,
	"name" text NOT NULL,
	"form" text NOT NULL,
	"region" text NOT NULL,
	"num_gpus" smallint NOT NULL,
	"type" "pricing_type" NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"usd_per_hour" numeric NOT NULL,
	CONSTRAINT "catalog_price_key" PRIMARY KEY("provider","name","form","region","num_gpus","type","valid_from"),
	CONSTRAINT "catalog_price_positive" CHECK ("catalog_price"."usd_per_hour" > 0 and "catalog_price"."num_gpus" > 0)
);
--> statement-breakpoint
CREATE TABLE "catalog_snapshot" (
	"provider" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"imported_at" timestamp with time zone NOT NULL,
	"content_hash" text NOT NULL,
	"rows" integer NOT NULL,
	"left_out" jsonb NOT NULL,
	CONSTRAINT "catalog_snapshot_provider_as_of_pk" PRIMARY KEY("provider","as_of")
);
--> statement-breakpoint
CREATE INDEX "catalog_price_end" ON "catalog_price" USING btree ("type","valid_to");