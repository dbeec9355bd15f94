module frontdesk

go 1.26
