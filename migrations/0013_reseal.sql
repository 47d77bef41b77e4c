CREATE TABLE `reseal` (
	`one` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
