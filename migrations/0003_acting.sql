CREATE TABLE "action_switch" (
	"id" smallint PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL,
	CONSTRAINT "action_switch_one" CHECK ("action_switch"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"market" text NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"phase" text NOT NULL,
	"rental_id" uuid,
	"instance_id" bigint,
	"detail" text NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"market_id" integer,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instance_plan" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"wanted" text,
	"wanted_at" timestamp with time zone,
	"wanted_by" text,
	"accepted_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp with time zone,
	"problem" text,
	"cost_center" text,
	"max_hours" double precision,
	"end_action" text,
	"ends_at" timestamp with time zone,
	CONSTRAINT "instance_plan_market_id_instance_id_pk" PRIMARY KEY("market_id","instance_id"),
	CONSTRAINT "instance_plan_wanted" CHECK ("instance_plan"."wanted" in ('running', 'stopped', 'destroyed')),
	CONSTRAINT "instance_plan_end_action" CHECK ("instance_plan"."end_action" in ('stop', 'destroy'))
);
--> statement-breakpoint
CREATE TABLE "instance_rate" (
	"market_id" integer NOT NULL,
	"instance_id" bigint NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"computing" boolean NOT NULL,
	"gone" boolean DEFAULT false NOT NULL,
	"base_usd_per_hour" numeric,
	"storage_usd_per_hour" numeric,
	CONSTRAINT "instance_rate_market_id_instance_id_from_at_pk" PRIMARY KEY("market_id","instance_id","from_at")
);
--> statement-breakpoint
CREATE TABLE "rental" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"idempotency_key" text NOT NULL,
	"body_hash" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"rented_by" text NOT NULL,
	"label" text,
	"cost_center" text,
	"watch_id" uuid,
	"offer_id" bigint NOT NULL,
	"machine_id" bigint NOT NULL,
	"host_id" bigint,
	"gpu_name" text NOT NULL,
	"num_gpus" smallint NOT NULL,
	"type" "pricing_type" NOT NULL,
	"disk_gb" double precision NOT NULL,
	"usd_per_hour" numeric NOT NULL,
	"base_usd_per_hour" numeric NOT NULL,
	"storage_usd_per_gb_month" numeric,
	"volume_usd_per_hour" numeric,
	"bid_usd_per_hour" numeric,
	"max_usd_per_hour" numeric,
	"quote" jsonb NOT NULL,
	"wish" jsonb NOT NULL,
	"sealed_wish" text,
	"baseline" bigint[] NOT NULL,
	"instance_id" bigint,
	"on_failure" text NOT NULL,
	"replacements_left" smallint DEFAULT 0 NOT NULL,
	"replaces_id" uuid,
	"provision_minutes" double precision NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"settle_by" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"first_running_at" timestamp with time zone,
	"ready_at" timestamp with time zone,
	"failed_start_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "rental_key" UNIQUE("market_id","idempotency_key"),
	CONSTRAINT "rental_instance" UNIQUE("market_id","instance_id"),
	CONSTRAINT "rental_on_failure" CHECK ("rental"."on_failure" in ('tell', 'replace')),
	CONSTRAINT "rental_state" CHECK ("rental"."state" in ('pending', 'creating', 'settling', 'unsettled', 'failed', 'provisioning', 'running',
        'ready', 'stopped', 'down', 'start-failed', 'destroying', 'destroyed'))
);
--> statement-breakpoint
CREATE TABLE "rental_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rental_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"rental_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"reason" text
);
--> statement-breakpoint
ALTER TABLE "event" ADD CONSTRAINT "event_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instance_plan" ADD CONSTRAINT "instance_plan_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rental" ADD CONSTRAINT "rental_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rental_event" ADD CONSTRAINT "rental_event_rental_id_rental_id_fk" FOREIGN KEY ("rental_id") REFERENCES "public"."rental"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_at" ON "event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "rental_open" ON "rental" USING btree ("market_id","state") WHERE "rental"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "rental_created" ON "rental" USING btree ("market_id","created_at");--> statement-breakpoint
CREATE INDEX "rental_event_rental" ON "rental_event" USING btree ("rental_id","id");
--> statement-breakpoint
CREATE FUNCTION "audit_log_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log is append-only: % is not allowed', TG_OP;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_no_change" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_log_is_append_only"();
--> statement-breakpoint
CREATE TRIGGER "audit_log_no_change_at_all" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_is_append_only"();
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER "audit_log_no_change";
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER "audit_log_no_change_at_all";
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_log" FROM CURRENT_USER, PUBLIC;
