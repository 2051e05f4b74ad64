DROP TABLE "book_day" CASCADE;--> statement-breakpoint
DROP TABLE "book_point" CASCADE;--> statement-breakpoint
DROP TABLE "day_point" CASCADE;--> statement-breakpoint
DROP TABLE "hour_point" CASCADE;--> statement-breakpoint
DROP TABLE "week_point" CASCADE;--> statement-breakpoint
-- Books of before have no points of this form until `offerbook rebuild`.
UPDATE "book" SET "has_points" = false;--> statement-breakpoint
CREATE TABLE "book_day" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"day" date NOT NULL,
	"books" integer NOT NULL,
	"complete" integer NOT NULL,
	CONSTRAINT "book_day_scope_id_type_day_pk" PRIMARY KEY("scope_id","type","day")
);
--> statement-breakpoint
CREATE TABLE "book_point" (
	"t" timestamp with time zone NOT NULL,
	"min" double precision,
	"p10" double precision,
	"p25" double precision,
	"median" double precision,
	"p75" double precision,
	"p90" double precision,
	"max" double precision,
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"books" integer NOT NULL,
	"observations" integer NOT NULL,
	"offers" integer NOT NULL,
	"gpus" integer NOT NULL,
	"machines" integer NOT NULL,
	"physical_gpus" integer NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"verification_tier_id" smallint NOT NULL,
	"physical_gpus_is_lower_bound" boolean NOT NULL,
	CONSTRAINT "book_point_cell" PRIMARY KEY("scope_id","type","gpu_model_id","num_gpus","verification_tier_id","t")
) PARTITION BY RANGE ("t");
--> statement-breakpoint
CREATE TABLE "day_point" (
	"t" timestamp with time zone NOT NULL,
	"min" double precision,
	"p10" double precision,
	"p25" double precision,
	"median" double precision,
	"p75" double precision,
	"p90" double precision,
	"max" double precision,
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"books" integer NOT NULL,
	"observations" integer NOT NULL,
	"offers" integer NOT NULL,
	"gpus" integer NOT NULL,
	"machines" integer NOT NULL,
	"physical_gpus" integer NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"verification_tier_id" smallint NOT NULL,
	"physical_gpus_is_lower_bound" boolean NOT NULL,
	CONSTRAINT "day_point_cell" PRIMARY KEY("scope_id","type","gpu_model_id","num_gpus","verification_tier_id","t")
) PARTITION BY RANGE ("t");
--> statement-breakpoint
CREATE TABLE "hour_point" (
	"t" timestamp with time zone NOT NULL,
	"min" double precision,
	"p10" double precision,
	"p25" double precision,
	"median" double precision,
	"p75" double precision,
	"p90" double precision,
	"max" double precision,
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"books" integer NOT NULL,
	"observations" integer NOT NULL,
	"offers" integer NOT NULL,
	"gpus" integer NOT NULL,
	"machines" integer NOT NULL,
	"physical_gpus" integer NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"verification_tier_id" smallint NOT NULL,
	"physical_gpus_is_lower_bound" boolean NOT NULL,
	CONSTRAINT "hour_point_cell" PRIMARY KEY("scope_id","type","gpu_model_id","num_gpus","verification_tier_id","t")
) PARTITION BY RANGE ("t");
--> statement-breakpoint
CREATE TABLE "week_point" (
	"t" timestamp with time zone NOT NULL,
	"min" double precision,
	"p10" double precision,
	"p25" double precision,
	"median" double precision,
	"p75" double precision,
	"p90" double precision,
	"max" double precision,
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"books" integer NOT NULL,
	"observations" integer NOT NULL,
	"offers" integer NOT NULL,
	"gpus" integer NOT NULL,
	"machines" integer NOT NULL,
	"physical_gpus" integer NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"verification_tier_id" smallint NOT NULL,
	"physical_gpus_is_lower_bound" boolean NOT NULL,
	CONSTRAINT "week_point_cell" PRIMARY KEY("scope_id","type","gpu_model_id","num_gpus","verification_tier_id","t")
) PARTITION BY RANGE ("t");
