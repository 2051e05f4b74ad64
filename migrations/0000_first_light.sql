CREATE TYPE "public"."pricing_type" AS ENUM('on-demand', 'bid', 'reserved');--> statement-breakpoint
CREATE TABLE "credential" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"role" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"parent_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "credential_hash" UNIQUE("hash"),
	CONSTRAINT "credential_kind" CHECK ("credential"."kind" in ('token', 'session', 'login')),
	CONSTRAINT "credential_role" CHECK ("credential"."role" in ('viewer', 'operator', 'admin', 'feed'))
);
--> statement-breakpoint
CREATE TABLE "book" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "book_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"verdict" text NOT NULL,
	"reason" text,
	"proof" text NOT NULL,
	"content_hash" text NOT NULL,
	"offers" integer NOT NULL,
	"allocated_storage_gb" double precision NOT NULL,
	"certificate" jsonb NOT NULL,
	CONSTRAINT "book_moment" UNIQUE("scope_id","type","observed_at"),
	CONSTRAINT "book_verdict" CHECK ("book"."verdict" in ('complete', 'partial')),
	CONSTRAINT "book_proof" CHECK ("book"."proof" in ('proved', 'declared'))
);
--> statement-breakpoint
CREATE TABLE "book_point" (
	"book_id" integer NOT NULL,
	"gpu_model_id" smallint,
	"observations" integer NOT NULL,
	"offers" integer NOT NULL,
	"gpus" integer NOT NULL,
	"machines" integer NOT NULL,
	"physical_gpus" integer NOT NULL,
	"physical_gpus_is_lower_bound" boolean NOT NULL,
	"min" double precision,
	"p10" double precision,
	"p25" double precision,
	"median" double precision,
	"p75" double precision,
	"p90" double precision,
	"max" double precision,
	CONSTRAINT "book_point_model" UNIQUE NULLS NOT DISTINCT("book_id","gpu_model_id")
);
--> statement-breakpoint
CREATE TABLE "book_slice" (
	"book_id" integer NOT NULL,
	"gpu_model_id" smallint,
	"verdict" text NOT NULL,
	"reason" text,
	"offers" integer NOT NULL,
	CONSTRAINT "book_slice_model" UNIQUE NULLS NOT DISTINCT("book_id","gpu_model_id"),
	CONSTRAINT "book_slice_verdict" CHECK ("book_slice"."verdict" in ('complete', 'partial'))
);
--> statement-breakpoint
CREATE TABLE "crawl_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"kind" text NOT NULL,
	"scope_name" text NOT NULL,
	"type" "pricing_type",
	"cause" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"reason" text,
	"certificate" jsonb,
	"book_id" integer,
	CONSTRAINT "crawl_run_outcome" CHECK ("crawl_run"."outcome" in ('complete', 'partial', 'failed', 'unchanged'))
);
--> statement-breakpoint
CREATE TABLE "latest_offer" (
	"listing_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"from_complete_book" boolean NOT NULL,
	"book_id" integer NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"offer_id" bigint NOT NULL,
	"base_usd_per_hour" double precision NOT NULL,
	"storage_usd_per_gb_month" double precision,
	"inet_down_usd_per_gb" double precision,
	"inet_up_usd_per_gb" double precision,
	"min_bid_usd_per_hour" double precision,
	"discounted_usd_per_hour" double precision,
	"discount_rate" double precision,
	"host_id" bigint,
	"dlperf" double precision,
	"reliability" double precision,
	"gpu_ram_mb" integer,
	"total_tflops" double precision,
	"country_id" smallint,
	"verification_tier_id" smallint,
	"cuda_max_good" double precision,
	"driver_version" text,
	"inet_down" double precision,
	"inet_up" double precision,
	"datacenter" boolean,
	"static_ip" boolean,
	"disk_space_gb" double precision,
	"gpu_ids" bigint[],
	"cpu_cores" double precision,
	"cpu_ram_mb" double precision,
	"raw" text NOT NULL,
	CONSTRAINT "latest_offer_listing_id_scope_id_from_complete_book_pk" PRIMARY KEY("listing_id","scope_id","from_complete_book")
);
--> statement-breakpoint
CREATE TABLE "listing" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"market_id" integer NOT NULL,
	"machine_id" bigint NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"type" "pricing_type" NOT NULL,
	"ordinal" smallint NOT NULL,
	CONSTRAINT "listing_key" UNIQUE("market_id","type","gpu_model_id","machine_id","num_gpus","ordinal")
);
--> statement-breakpoint
CREATE TABLE "listing_attribute" (
	"listing_id" integer NOT NULL,
	"day" date NOT NULL,
	"valid_until" date,
	"observed_at" timestamp with time zone NOT NULL,
	"host_id" bigint,
	"dlperf" double precision,
	"reliability" double precision,
	"gpu_ram_mb" integer,
	"total_tflops" double precision,
	"country_id" smallint,
	"verification_tier_id" smallint,
	"cuda_max_good" double precision,
	"driver_version" text,
	"inet_down" double precision,
	"inet_up" double precision,
	"datacenter" boolean,
	"static_ip" boolean,
	"disk_space_gb" double precision,
	"gpu_ids" bigint[],
	CONSTRAINT "listing_attribute_listing_id_day_pk" PRIMARY KEY("listing_id","day")
);
--> statement-breakpoint
CREATE TABLE "presence" (
	"listing_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presence_listing_id_scope_id_first_at_pk" PRIMARY KEY("listing_id","scope_id","first_at")
);
--> statement-breakpoint
CREATE TABLE "price_run" (
	"listing_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"base_usd_per_hour" double precision NOT NULL,
	"storage_usd_per_gb_month" double precision,
	"inet_down_usd_per_gb" double precision,
	"inet_up_usd_per_gb" double precision,
	"min_bid_usd_per_hour" double precision,
	"discounted_usd_per_hour" double precision,
	"discount_rate" double precision,
	CONSTRAINT "price_run_listing_id_scope_id_valid_from_pk" PRIMARY KEY("listing_id","scope_id","valid_from")
);
--> statement-breakpoint
CREATE TABLE "country" (
	"id" smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "country_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 32767 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "country_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "gpu_model" (
	"id" smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gpu_model_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 32767 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "gpu_model_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "market" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "market_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "market_name" UNIQUE("name"),
	CONSTRAINT "market_kind" CHECK ("market"."kind" in ('live', 'simulated', 'recorded'))
);
--> statement-breakpoint
CREATE TABLE "scope" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scope_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"market_id" integer NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "scope_market_name" UNIQUE("market_id","name")
);
--> statement-breakpoint
CREATE TABLE "verification_tier" (
	"id" smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "verification_tier_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 32767 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "verification_tier_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "credential" ADD CONSTRAINT "credential_parent_id_credential_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."credential"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book" ADD CONSTRAINT "book_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_point" ADD CONSTRAINT "book_point_book_id_book_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."book"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_point" ADD CONSTRAINT "book_point_gpu_model_id_gpu_model_id_fk" FOREIGN KEY ("gpu_model_id") REFERENCES "public"."gpu_model"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_slice" ADD CONSTRAINT "book_slice_book_id_book_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."book"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_slice" ADD CONSTRAINT "book_slice_gpu_model_id_gpu_model_id_fk" FOREIGN KEY ("gpu_model_id") REFERENCES "public"."gpu_model"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_run" ADD CONSTRAINT "crawl_run_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_run" ADD CONSTRAINT "crawl_run_book_id_book_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."book"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD CONSTRAINT "latest_offer_listing_id_listing_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listing"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD CONSTRAINT "latest_offer_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD CONSTRAINT "latest_offer_book_id_book_id_fk" FOREIGN KEY ("book_id") REFERENCES "public"."book"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD CONSTRAINT "latest_offer_country_id_country_id_fk" FOREIGN KEY ("country_id") REFERENCES "public"."country"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD CONSTRAINT "latest_offer_verification_tier_id_verification_tier_id_fk" FOREIGN KEY ("verification_tier_id") REFERENCES "public"."verification_tier"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing" ADD CONSTRAINT "listing_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing" ADD CONSTRAINT "listing_gpu_model_id_gpu_model_id_fk" FOREIGN KEY ("gpu_model_id") REFERENCES "public"."gpu_model"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_attribute" ADD CONSTRAINT "listing_attribute_listing_id_listing_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listing"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_attribute" ADD CONSTRAINT "listing_attribute_country_id_country_id_fk" FOREIGN KEY ("country_id") REFERENCES "public"."country"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_attribute" ADD CONSTRAINT "listing_attribute_verification_tier_id_verification_tier_id_fk" FOREIGN KEY ("verification_tier_id") REFERENCES "public"."verification_tier"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presence" ADD CONSTRAINT "presence_listing_id_listing_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listing"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presence" ADD CONSTRAINT "presence_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_run" ADD CONSTRAINT "price_run_listing_id_listing_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listing"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_run" ADD CONSTRAINT "price_run_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scope" ADD CONSTRAINT "scope_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crawl_run_started" ON "crawl_run" USING btree ("market_id","started_at");--> statement-breakpoint
CREATE INDEX "latest_offer_book" ON "latest_offer" USING btree ("book_id");--> statement-breakpoint
CREATE INDEX "presence_last" ON "presence" USING btree ("scope_id","last_at");