ALTER TABLE `access_key` ADD `principals` text;--> statement-breakpoint
ALTER TABLE `access_key` ADD `access_choose` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `corpus` ADD `default_access` text;--> statement-breakpoint
ALTER TABLE `hook` ADD `access` text;