-- A watch may follow several markets, in each by the books of a scope; those that are there follow theirs.
CREATE TABLE "watch_market" (
	"watch_id" uuid NOT NULL,
	"market_id" integer NOT NULL,
	"scope_id" integer NOT NULL,
	"place" smallint NOT NULL,
	CONSTRAINT "watch_market_watch_id_market_id_pk" PRIMARY KEY("watch_id","market_id")
);
--> statement-breakpoint
INSERT INTO "watch_market" SELECT "id", "market_id", "scope_id", 0 FROM "watch";--> statement-breakpoint
ALTER TABLE "watch_market" ADD CONSTRAINT "watch_market_watch_id_watch_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_market" ADD CONSTRAINT "watch_market_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_market" ADD CONSTRAINT "watch_market_scope_id_scope_id_fk" FOREIGN KEY ("scope_id") REFERENCES "public"."scope"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watch_market_market" ON "watch_market" USING btree ("market_id");--> statement-breakpoint
ALTER TABLE "watch" DROP CONSTRAINT "watch_scope_id_scope_id_fk";--> statement-breakpoint
ALTER TABLE "watch" DROP COLUMN "scope_id";--> statement-breakpoint
-- A rule remembers each market by itself.
ALTER TABLE "rule_state" ADD COLUMN "market_id" integer;--> statement-breakpoint
UPDATE "rule_state" t SET "market_id" = r."market_id" FROM "rule" r WHERE r."id" = t."rule_id";--> statement-breakpoint
ALTER TABLE "rule_state" ALTER COLUMN "market_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "rule_state" DROP CONSTRAINT "rule_state_pkey";--> statement-breakpoint
ALTER TABLE "rule_state" ADD CONSTRAINT "rule_state_rule_id_market_id_pk" PRIMARY KEY("rule_id","market_id");--> statement-breakpoint
ALTER TABLE "rule_state" ADD CONSTRAINT "rule_state_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- An alert names the market whose book or event fired it.
ALTER TABLE "alert" ADD COLUMN "market_id" integer;--> statement-breakpoint
UPDATE "alert" a SET "market_id" = r."market_id" FROM "rule" r WHERE r."id" = a."rule_id";--> statement-breakpoint
ALTER TABLE "alert" ALTER COLUMN "market_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_market_id_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."market"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_market" ON "alert" USING btree ("market_id","at");
