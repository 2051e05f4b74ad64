CREATE TABLE "instance_fact" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"gpu_name" text,
	"num_gpus" smallint,
	"machine_id" bigint,
	"type" "pricing_type",
	"disk_space_gb" double precision,
	"listed_label" text,
	"label" text,
	"rented_by" text,
	"cost_center" text,
	CONSTRAINT "instance_fact_market_id_instance_id_seen_at_pk" PRIMARY KEY("market_id","instance_id","seen_at")
);
--> statement-breakpoint
ALTER TABLE "instance_fact" ADD CONSTRAINT "instance_fact_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What is known by now counts as known from the beginning: nobody has kept what was known before.
INSERT INTO "instance_fact" SELECT coalesce(i.market_id, n.market_id), coalesce(i.instance_id, n.instance_id),
	least(i.first_seen_at, n.created_at), i.gpu_name, i.num_gpus, i.machine_id, i.type, i.disk_space_gb, i.label, n.label,
	n.rented_by, coalesce(p.cost_center, n.cost_center)
	FROM "instance" i
	FULL JOIN (SELECT * FROM "rental" WHERE instance_id IS NOT NULL) n ON n.market_id = i.market_id AND n.instance_id = i.instance_id
	LEFT JOIN "instance_plan" p ON p.market_id = coalesce(i.market_id, n.market_id) AND p.instance_id = coalesce(i.instance_id, n.instance_id);--> statement-breakpoint
ALTER TABLE "instance_rate" ADD COLUMN "seen_at" timestamp with time zone;--> statement-breakpoint
UPDATE "instance_rate" SET "seen_at" = "from_at";--> statement-breakpoint
ALTER TABLE "instance_rate" ALTER COLUMN "seen_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "instance_rate" DROP CONSTRAINT "instance_rate_market_id_instance_id_from_at_pk";--> statement-breakpoint
ALTER TABLE "instance_rate" ADD CONSTRAINT "instance_rate_market_id_instance_id_from_at_seen_at_pk" PRIMARY KEY("market_id","instance_id","from_at","seen_at");
