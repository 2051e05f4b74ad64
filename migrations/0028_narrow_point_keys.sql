-- Statistics name their cell by one id: their keys take less than half of the space.
CREATE TABLE "point_cell" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "point_cell_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"num_gpus" smallint NOT NULL,
	"verification_tier_id" smallint NOT NULL,
	CONSTRAINT "point_cell_key" UNIQUE("scope_id","type","gpu_model_id","num_gpus","verification_tier_id")
);
--> statement-breakpoint
ALTER TABLE "point_cell" ADD CONSTRAINT "point_cell_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "point_cell" ("scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id")
SELECT "scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id" FROM (
	SELECT "scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id" FROM "book_point"
	UNION SELECT "scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id" FROM "hour_point"
	UNION SELECT "scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id" FROM "day_point"
	UNION SELECT "scope_id", "type", "gpu_model_id", "num_gpus", "verification_tier_id" FROM "week_point"
) "cells" WHERE "scope_id" IN (SELECT "id" FROM "scope") ORDER BY 1, 2, 3, 4, 5;--> statement-breakpoint
ANALYZE "point_cell";--> statement-breakpoint
-- Month by month, because no row of a partitioned table could lose its columns and its space in place.
DO $$
DECLARE
	points text;
	month record;
BEGIN
	FOREACH points IN ARRAY ARRAY['book_point', 'hour_point', 'day_point', 'week_point'] LOOP
		EXECUTE format('ALTER TABLE %I RENAME TO %I', points, points || '_before');
		EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', points || '_before', points || '_cell', points || '_cell_before');
		EXECUTE format('CREATE TABLE %I (
			"t" timestamp with time zone NOT NULL,
			"min" double precision,
			"p10" double precision,
			"p25" double precision,
			"median" double precision,
			"p75" double precision,
			"p90" double precision,
			"max" double precision,
			"cell_id" integer NOT NULL,
			"books" integer NOT NULL,
			"observations" integer NOT NULL,
			"offers" integer NOT NULL,
			"gpus" integer NOT NULL,
			"machines" integer NOT NULL,
			"physical_gpus" integer NOT NULL,
			"physical_gpus_is_lower_bound" boolean NOT NULL,
			CONSTRAINT %I PRIMARY KEY("cell_id","t")
		) PARTITION BY RANGE ("t")', points, points || '_cell');
		FOR month IN
			SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			WHERE i.inhparent = (points || '_before')::regclass ORDER BY 1
		LOOP
			EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', month.name || '_new', points);
			EXECUTE format('INSERT INTO %I
				SELECT p.t, p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max, c.id, p.books, p.observations, p.offers, p.gpus,
					p.machines, p.physical_gpus, p.physical_gpus_is_lower_bound
				FROM %I p JOIN point_cell c USING (scope_id, type, gpu_model_id, num_gpus, verification_tier_id)
				ORDER BY c.id, p.t', month.name || '_new', month.name);
			EXECUTE format('DROP TABLE %I', month.name);
			EXECUTE format('ALTER TABLE %I RENAME TO %I', month.name || '_new', month.name);
			EXECUTE format('ALTER INDEX %I RENAME TO %I', month.name || '_new_pkey', month.name || '_pkey');
			EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', points, month.name, month.bounds);
			EXECUTE format('ANALYZE %I', month.name);
		END LOOP;
		EXECUTE format('DROP TABLE %I', points || '_before');
	END LOOP;
END
$$;
