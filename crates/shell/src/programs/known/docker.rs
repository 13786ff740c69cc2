// Generated from knowledge/programs/docker.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const BUILD: &str = "\
    --allow=data --build-arg=data --build-context=data --cidfile=write -f|--file=read --iidfile=write \
    --metadata-file=write --network=data -o|--output=data --platform=data --push --secret=data \
    --target=data -t|--tag=data -v|--volume=mount --add-host=data --all-platforms --annotation=data \
    --arch=data --attest=data --authfile=read --builder=choose --cache-from=data --cache-to=data \
    --cache-ttl=data --cap-add=data --cap-drop=data --cert-dir=look --cgroup-parent=data --cgroupns=data \
    --compress --cpp-flag=data --cpu-period=num --cpu-quota=num -c|--cpu-shares=num --cpuset-cpus=data \
    --cpuset-mems=data --creds=secret --decryption-key=read --device=data --disable-compression|-D \
    --disable-content-trust?=data --dns=data --dns-option=data --dns-search=data --env=data --force-rm \
    --format=data --from=data --hooks-dir=file --http-proxy?=data --identity-label --ignorefile=read \
    --ipc=data --isolation=data --jobs=num --label=data --layers --load --logfile=write --logsplit \
    --manifest=data -m|--memory=data --memory-swap=data --net=data --no-cache --no-cache-filter=data \
    --no-hosts --omit-history --os=data --os-feature=data --os-version=data --pid=data --progress=data \
    --provenance?=data --pull -q|--quiet --retry=num --retry-delay=data --rm --runtime=prog \
    --runtime-flag=data --sbom?=data --security-opt=data --shm-size=data --sign-by=data \
    --skip-unused-stages --squash --squash-all --ssh=data --stdin --timestamp=data --tls-verify?=data \
    --ulimit=data --unsetenv=data --userns=data --userns-gid-map=data --userns-gid-map-group=data \
    --userns-uid-map=data --userns-uid-map-user=data --uts=data --variant=data";

const COMPOSE: &str = "\
    --env-file=read -f|--file=read --profile=data --project-directory=data -p|--project-name=data";

const CONTAINER: &str = "\
    -a|--attach=data --add-host=data --annotation=data --blkio-weight=num --cap-add=data --cap-drop=data \
    --cgroupns=data --cidfile=write -c|--cpu-shares=num --cpus=num --cpuset-cpus=data -d|--detach \
    --detach-keys=data --device=data --device-cgroup-rule=data --dns=data --domainname=data \
    --entrypoint=data -e|--env=env --env-file=read --expose=data --gpus=data --group-add=data \
    --health-cmd=data --health-interval=data --health-retries=num --health-timeout=data -h|--hostname=data \
    -i|--interactive --index=num --ip=data --ipc=data --isolation=data --kernel-memory=data \
    -l|--label=data --label-file=read --link=data --log-driver=data --log-opt=data --mac-address=data \
    -m|--memory=data --memory-swap=data --mount=mount --name=data --network|--net=data \
    --network-alias=data --oom-score-adj=num --pid=data --pids-limit=num --platform=data --pod=data \
    --privileged -p|--publish=port --pull=data --restart=data --rm --runtime=data --secret=data \
    --security-opt=data --shm-size=data --stop-signal=data --stop-timeout=num --storage-opt=data \
    --sysctl=data --tmpfs=data -t|--tty --ulimit=data -u|--user=data --userns=data --uts=data \
    -v|--volume=mount --volumes-from=data -w|--workdir=data --arch=data --authfile=read \
    --blkio-weight-device=data --cgroup-conf=data --cgroup-parent=data --cgroups=data --chrootdirs=data \
    --conmon-pidfile=write --cpu-count=num --cpu-percent=num --cpu-period=num --cpu-quota=num \
    --cpu-rt-period=num --cpu-rt-runtime=num --cpuset-mems=data --decryption-key=read \
    --device-read-bps=data --device-read-iops=data --device-write-bps=data --device-write-iops=data \
    --disable-content-trust?=data --dns-option|--dns-opt=data --dns-search=data --env-host \
    --env-merge=data --gidmap=data --health-on-failure=data --health-start-period=data --hostuser=data \
    --http-proxy?=data --image-volume=data --init --init-path=read --ip6=data --link-local-ip=data \
    --memory-reservation=data --memory-swappiness=num --no-healthcheck --no-hosts --oom-kill-disable \
    --os=data --passwd --passwd-entry=data --personality=data --pidfile=write --pod-id-file=read \
    --preserve-fds=num -P|--publish-all -q|--quiet --read-only --read-only-tmpfs --replace --requires=data \
    --rmi --sdnotify=data --seccomp-policy=data --sig-proxy --subgidname=data --subuidname=data \
    --systemd=data --timeout=num --tls-verify?=data --tz=data --uidmap=data --umask=data --unsetenv=data \
    --unsetenv-all --variant=data --volume-driver=data";

const PRUNE: &str = "-a|--all -f|--force --filter=data --keep-storage=data --volumes";

const READING: &str = "\
    -a|--all -D --details --digests -f|--filter|--follow|--format=data --hash=data --human --images \
    --index=num -l|--latest -n|--last|--tail=data --no-color --no-interpolate --no-log-prefix --no-stream \
    --no-trunc --orphans=data --platform=data --profiles -p|--project-name=data -q|--quiet --services \
    --since=data -s|--size --status=data -t|--timestamps --tree --type=data --until=data -v --volumes";

const REGISTRIES: &str = "\
    --authfile=read --cert-dir=look --creds=secret --disable-content-trust?=data -q|--quiet --retry=num \
    --retry-delay=data --tls-verify?=data";

const REMOVE: &str = "\
    --cidfile=read -f|--force -i|--ignore -l|--link --no-prune -s|--signal=data -t|--time=num -v|--volumes";

static COMPOSE_COMMANDS: &[ProgramRow] = &[
    reads(
        "ps logs images top port ls version events stats",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
    reads(
        "config convert",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            --environment --lock-image-digests --networks --no-consistency --no-env-resolution \
            --no-normalize --no-path-resolution -o|--output=write --resolve-image-digests --variables",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--environment"]),
            ],
            acts: &[
                Act::Finding("shell.env_dump", "prints the variables that fill the project's file"),
            ],
        },
    ])
    ,
    works(
        "exec run",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(CONTAINER)
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsInside(1, ""),
            ],
        },
    ])
    ,
    works(
        "down rm",
        "docker(1), podman(1) 4.9, compose 25",
        "-f|--force -s|--stop -v|--volumes",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes the volumes of the project"),
            ],
        },
    ])
    ,
    works(
        "up build create watch",
        "docker(1), podman(1) 4.9, compose 25",
        "--push",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-f", Role::File("")),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--push"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Send),
                Act::Finding("shell.upload", "publishes images"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-f"]),
            ],
            acts: &[
                Act::RunsProject("compose.yaml", ""),
            ],
        },
    ])
    ,
    works(
        "push publish",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Send),
                Act::Finding("shell.upload", "publishes images"),
            ],
        },
    ])
    ,
    works(
        "cp",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::FirstNot(&["*:*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/*:*"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
            ],
        },
    ])
    ,
    works(
        "export",
        "docker(1), podman(1) 4.9, compose 25",
        "-o|--output=write",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "start stop restart pull pause unpause kill scale attach wait commit",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    ,
];

static PLAIN_COMMANDS: &[ProgramRow] = &[
    reads(
        "\
            ps images logs version info stats top port diff history events pods imageinfo ip url status \
            env wait ls",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
    reads(
        "inspect",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&[".Env", ".Config}}"]),
            ],
            acts: &[
                Act::Finding("shell.env_dump", "prints a container's environment, where passwords often are"),
            ],
        },
    ])
    ,
    works(
        "search list-tags",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("registry-1.docker.io", "https", Direction::Fetch),
            ],
        },
    ])
    ,
    works(
        "run create",
        "docker(1), podman(1) 4.9, compose 25",
        "--rootfs",
        "data*",
    )
    .also(CONTAINER)
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--rootfs"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a folder of the host is the container's root"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--privileged"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a privileged container"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--cap-add"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "adds the capability {--cap-add}"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--device", "--device-cgroup-rule"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "hands a device to a container"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--pid", "--ipc", "--uts", "--userns", "--cgroupns"], &["host"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "shares the host's namespaces with a container"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--env-host"]),
            ],
            acts: &[
                Act::Finding("shell.env_dump", "hands all variables of the environment to a container"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-P"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--security-opt"], &["*unconfined*", "*disable*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "switches confinement off"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Image),
                Act::RunsInside(1, "--entrypoint"),
            ],
        },
    ])
    ,
    works(
        "exec",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            --cidfile=read -d|--detach --detach-keys=data -e|--env=env --env-file=read -i|--interactive \
            -l|--latest --preserve-fds=num --privileged -t|--tty -u|--user=data -w|--workdir=data",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--privileged"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a privileged command in a container"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "--cidfile"]),
            ],
            acts: &[
                Act::RunsInside(0, ""),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsInside(1, ""),
            ],
        },
    ])
    ,
    works(
        "pull",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            -a|--all-tags --arch=data --decryption-key=read --os=data --platform=data --variant=data",
        "data*",
    )
    .also(REGISTRIES)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Image),
            ],
        },
    ])
    ,
    works(
        "push",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            -a|--all-tags --compress --compression-format=data --digestfile=write -f|--format=data \
            --remove-signatures --sign-by=data",
        "data*",
    )
    .also(REGISTRIES)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::ImageSent),
            ],
        },
    ])
    ,
    works(
        "build bake bud",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(BUILD)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("Dockerfile", ""),
                Act::Part("--secret", &["src", "source"], Role::Read, false),
                Act::Part("-o", &["dest"], Role::Write, true),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*://*"]),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["last"], fits: &["*://*"], except: &[], after: &[] },
                    "https", Direction::Fetch, &[], "", false),
                Act::Finding("shell.remote_code", "builds from a URL"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["last"], fits: &[], except: &["*://*"], after: &[] }, Role::Look),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--push"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "publishes an image"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--allow"], &["*insecure*", "*host*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a build with the host's rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--cap-add", "--device"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a build with the host's rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--pid", "--ipc", "--uts", "--userns", "--cgroupns"], &["host"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a build with the host's rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--security-opt"], &["*unconfined*", "*disable*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "a build with the host's rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["github.com/*", "git@*"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "builds what a repository holds"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--cache-to"], &["*type=registry*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "publishes layers of the build"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--cache-to"], &["*dest=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    works(
        "cp",
        "docker(1), podman(1) 4.9, compose 25",
        "-a|--archive?=data -L|--follow-link --overwrite --pause?=data",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::FirstNot(&["*:*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/*:*"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
            ],
        },
    ])
    ,
    works(
        "save export",
        "docker(1), podman(1) 4.9, compose 25",
        "--compress --format=data -m|--multi-image-archive -o|--output=write -q|--quiet",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "load import",
        "docker(1), podman(1) 4.9, compose 25",
        "-c|--change=data -i|--input=read -m|--message=data --platform=data -q|--quiet",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
            ],
        },
    ])
    ,
    works(
        "prune",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(PRUNE)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-a"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes containers and images that aren't running"),
            ],
        },
    ])
    ,
    works(
        "rm kill",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(REMOVE)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-f", "-v"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "removes containers or images, running ones too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::HiddenOperand,
            ],
            acts: &[
                Act::Finding("shell.infra", "removes containers or images, running ones too"),
            ],
        },
    ])
    ,
    works(
        "rmi",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .also(REMOVE)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "removes containers or images, running ones too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::HiddenOperand,
            ],
            acts: &[
                Act::Finding("shell.infra", "removes containers or images, running ones too"),
            ],
        },
    ])
    ,
    works(
        "stop restart",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            -a|--all --cidfile=read -f|--filter=data -i|--ignore -l|--latest -s|--signal=data \
            -t|--time=num",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "commit",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            -a|--author=data -c|--change=data -f|--format=data --iidfile=write --include-volumes \
            -m|--message=data -p|--pause?=data -q|--quiet -s|--squash",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "checkpoint",
        "docker(1), podman(1) 4.9, compose 25",
        "-c|--compress=data -e|--export=write -R|--leave-running",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "restore",
        "docker(1), podman(1) 4.9, compose 25",
        "-i|--import=read -n|--name=data",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "start pause unpause rename tag attach update init scan scout mount umount from sync",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "copy",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["last"], fits: &["dir:*", "oci:*", "oci-archive:*",
                    "docker-archive:*"], except: &[], after: &[":"] }, Role::Write),
            ],
        },
    ])
    ,
    works(
        "play kube",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
            ],
        },
    ])
    ,
    works(
        "generate",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "",
    )
    .style(Style::Lenient)
    .subs(&[
        works(
            "kube spec",
            "docker(1), podman(1) 4.9, compose 25",
            "-f|--filename=write -s|--service -t|--type=data",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "systemd",
            "docker(1), podman(1) 4.9, compose 25",
            "-f|--files -n|--name --new --restart-policy=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::WritesFile("."),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "logout config",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    ,
    works(
        "login",
        "docker(1), podman(1) 4.9, compose 25",
        "-p|--password=secret --password-stdin -u|--username=data",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Send),
            ],
        },
    ])
    ,
    works(
        "unshare",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Runs(0),
            ],
        },
    ])
    ,
    works(
        "ssh",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsRemote(1, "{first}"),
            ],
        },
    ])
    ,
];

static SHARED_REMOVAL_COMMANDS: &[ProgramRow] = &[
    works(
        "rm",
        "docker(1), podman(1) 4.9, compose 25",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {command}` deletes what others may use"),
            ],
        },
    ])
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "docker podman nerdctl buildah skopeo crictl ctr docker-machine finch lima-nerdctl",
        "docker(1), podman(1) 4.9, compose 25",
        "\
            --conmon=data --hooks-dir=file --network-cmd-path=data --runtime=data --storage-opt=data \
            --config=choose -D|--debug --tls --tlsverify -v|--version -c|--context=data --env-file=data \
            -f|--file=data -H|--host|--url=host -l|--log-level=data -n|--namespace=data --profile=data \
            --project-directory=data -p|--project-name=data --cgroup-manager=data --connection=choose \
            --events-backend=data --identity=read --network-config-dir=data --noout -r|--remote \
            --root=data --runroot=data --runtime-flag=data --ssh=data --storage-driver=data --syslog \
            --tlscacert=read --tlscert=read --tlskey=read --tmpdir=data --volumepath=data",
        "",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--conmon", "--runtime", "--network-cmd-path"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsPath("--conmon"),
                Act::RunsPath("--runtime"),
                Act::RunsPath("--network-cmd-path"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .subs(&[
        works(
            "compose",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .also(COMPOSE)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        .shares(&[COMPOSE_COMMANDS])
        ,
        works(
            "container",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls list",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            reads(
                "inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Contains(&[".Env", ".Config}}"]),
                    ],
                    acts: &[
                        Act::Finding("shell.env_dump", "prints a container's environment, where passwords often are"),
                    ],
                },
            ])
            ,
            works(
                "prune",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(PRUNE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-a"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes containers and images that aren't running"),
                    ],
                },
            ])
            ,
        ])
        .shares(&[PLAIN_COMMANDS])
        ,
        works(
            "image",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls list inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "rm remove",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(REMOVE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-f", "-v"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "removes containers or images, running ones too"),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                        Condition::HiddenOperand,
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "removes containers or images, running ones too"),
                    ],
                },
            ])
            ,
        ])
        .shares(&[PLAIN_COMMANDS])
        ,
        works(
            "volume",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls list inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "prune rm remove",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "deletes volumes"),
                    ],
                },
            ])
            ,
            works(
                "create",
                "docker(1), podman(1) 4.9, compose 25",
                "-d|--driver=data --label=data -o|--opt=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["-o"], &["*device=*"]),
                    ],
                    acts: &[
                        Act::Privilege(PrivilegeKind::ContainerEscape,
                            "a volume that stands for a folder of the host"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "network",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls list inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "create connect disconnect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "prune",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(PRUNE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-a"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes containers and images that aren't running"),
                    ],
                },
            ])
            ,
        ])
        .shares(&[SHARED_REMOVAL_COMMANDS])
        ,
        works(
            "system",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "df info events",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "prune",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(PRUNE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--volumes"]),
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "deletes volumes"),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes containers and images that aren't running"),
                    ],
                },
            ])
            ,
            works(
                "reset",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "deletes all containers, images and volumes"),
                    ],
                },
            ])
            ,
            works(
                "service",
                "docker(1), podman(1) 4.9, compose 25",
                "--cors=data -t|--time=num",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Listens("localhost", "tcp", &[]),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "builder",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "prune",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(PRUNE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--volumes"]),
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "deletes volumes"),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["-a"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes containers and images that aren't running"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "buildx",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls inspect du",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "create use",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "prune",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(PRUNE)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-a"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes containers and images that aren't running"),
                    ],
                },
            ])
            ,
            works(
                "build bake",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(BUILD)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsProject("Dockerfile", ""),
                        Act::Part("--secret", &["src", "source"], Role::Read, false),
                        Act::Part("-o", &["dest"], Role::Write, true),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Operand(&["*://*"]),
                    ],
                    acts: &[
                        Act::ContactsAt(Pick { at: &["last"], fits: &["*://*"], except: &[],
                            after: &[] }, "https", Direction::Fetch, &[], "", false),
                        Act::Finding("shell.remote_code", "builds from a URL"),
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Picked(Pick { at: &["last"], fits: &[], except: &["*://*"], after: &[] }, Role::Look),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--push"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "publishes an image"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--allow"], &["*insecure*", "*host*"]),
                    ],
                    acts: &[
                        Act::Privilege(PrivilegeKind::ContainerEscape, "a build with the host's rights"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Operand(&["github.com/*", "git@*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.remote_code", "builds what a repository holds"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--cache-to"], &["*type=registry*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "publishes layers of the build"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--cache-to"], &["*dest=*"]),
                    ],
                    acts: &[
                        Act::BeyondPlain,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "context",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls show inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "create use",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "export",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Write),
                    ],
                },
            ])
            ,
            works(
                "import",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Read),
                    ],
                },
            ])
            ,
        ])
        .shares(&[SHARED_REMOVAL_COMMANDS])
        ,
        works(
            "secret config",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls list inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "create",
                "docker(1), podman(1) 4.9, compose 25",
                "-d|--driver=data -l|--label=data --template-driver=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Read),
                    ],
                },
            ])
            ,
            works(
                "rm remove",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`{program} {command}` deletes what others may use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "service stack node swarm pod machine",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls ps inspect logs services",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "deploy",
                "docker(1), podman(1) 4.9, compose 25",
                "-c|--compose-file=read",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "create update",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(CONTAINER)
            .style(Style::LenientPosix)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--cap-add"]),
                    ],
                    acts: &[
                        Act::Privilege(PrivilegeKind::ContainerEscape, "adds the capability {--cap-add}"),
                    ],
                },
            ])
            ,
            works(
                "scale init join start stop rollback promote demote unlock",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "join-token unlock-key",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "`{program} {command}` prints a secret of the swarm"),
                    ],
                },
            ])
            ,
            works(
                "rm leave reset",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`{program} {command}` deletes what others may use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "manifest",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("registry-1.docker.io", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "plugin",
            "docker(1), podman(1) 4.9, compose 25",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "ls",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            reads(
                "inspect",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "install",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Privilege(PrivilegeKind::ContainerEscape, "installs a plugin of the daemon"),
                    ],
                },
            ])
            ,
            works(
                "enable set upgrade",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Privilege(PrivilegeKind::ContainerEscape, "changes a plugin of the daemon"),
                    ],
                },
            ])
            ,
            works(
                "disable rm remove",
                "docker(1), podman(1) 4.9, compose 25",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`{program} {command}` deletes what others may use"),
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    .shares(&[PLAIN_COMMANDS])
    .taken_over()
    ,
    works(
        "docker-compose podman-compose",
        "docker-compose(1) 2.24",
        "-H|--host=host",
        "",
    )
    .also(COMPOSE)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .shares(&[COMPOSE_COMMANDS])
    .taken_over()
    ,
];
