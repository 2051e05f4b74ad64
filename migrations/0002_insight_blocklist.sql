CREATE TABLE "blocklist_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"market_id" integer NOT NULL,
	"kind" text NOT NULL,
	"machine_id" bigint,
	"host_id" bigint,
	"note" text,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blocklist_entry_machine" UNIQUE("market_id","machine_id"),
	CONSTRAINT "blocklist_entry_host" UNIQUE("market_id","host_id"),
	CONSTRAINT "blocklist_entry_kind" CHECK ("blocklist_entry"."kind" in ('block', 'prefer')),
	CONSTRAINT "blocklist_entry_target" CHECK (num_nonnulls("blocklist_entry"."machine_id", "blocklist_entry"."host_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "pool_day" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"day" date NOT NULL,
	"newest_book_id" integer NOT NULL,
	CONSTRAINT "pool_day_scope_id_type_day_pk" PRIMARY KEY("scope_id","type","day")
);
--> statement-breakpoint
CREATE TABLE "pool_day_model" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"day" date NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"prices" "bytea" NOT NULL,
	CONSTRAINT "pool_day_model_scope_id_type_day_gpu_model_id_pk" PRIMARY KEY("scope_id","type","day","gpu_model_id")
);
--> statement-breakpoint
ALTER TABLE "blocklist_entry" ADD CONSTRAINT "blocklist_entry_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_day" ADD CONSTRAINT "pool_day_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_day_model" ADD CONSTRAINT "pool_day_model_gpu_model_id_gpu_model_id_fk" FOREIGN KEY ("gpu_model_id") REFERENCES "public"."gpu_model"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_day_model" ADD CONSTRAINT "pool_day_model_scope_id_type_day_pool_day_scope_id_type_day_fk" FOREIGN KEY ("scope_id","type","day") REFERENCES "public"."pool_day"("scope_id","type","day") ON DELETE cascade ON UPDATE no action;