CREATE TABLE "index_day" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"day" date NOT NULL,
	"movement_days" smallint,
	"movement" double precision,
	"movement_error" double precision,
	"week_days" smallint,
	"week" double precision,
	"week_error" double precision,
	"month_days" smallint,
	"month" double precision,
	"month_error" double precision,
	"listings" integer NOT NULL,
	"machines" integer NOT NULL,
	"hosts" integer NOT NULL,
	"observations" integer NOT NULL,
	"listings_left_out" integer NOT NULL,
	"prices_left_out" integer NOT NULL,
	CONSTRAINT "index_day_scope_id_type_gpu_model_id_day_pk" PRIMARY KEY("scope_id","type","gpu_model_id","day")
);
--> statement-breakpoint
CREATE TABLE "index_observation" (
	"scope_id" integer NOT NULL,
	"type" "pricing_type" NOT NULL,
	"gpu_model_id" smallint NOT NULL,
	"day" date NOT NULL,
	"observations" "bytea" NOT NULL,
	CONSTRAINT "index_observation_scope_id_type_gpu_model_id_day_pk" PRIMARY KEY("scope_id","type","gpu_model_id","day")
);
--> statement-breakpoint
ALTER TABLE "index_day" ADD CONSTRAINT "index_day_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "index_observation" ADD CONSTRAINT "index_observation_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE cascade ON UPDATE no action;