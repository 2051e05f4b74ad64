CREATE INDEX "audit_log_instance" ON "audit_log" USING btree ("instance_id") WHERE "audit_log"."instance_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_rental" ON "audit_log" USING btree ("rental_id") WHERE "audit_log"."rental_id" is not null;--> statement-breakpoint
CREATE INDEX "rental_replaces" ON "rental" USING btree ("replaces_id") WHERE "rental"."replaces_id" is not null;