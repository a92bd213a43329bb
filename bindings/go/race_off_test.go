//go:build !race

package hurray_test

const raceEnabled = false
